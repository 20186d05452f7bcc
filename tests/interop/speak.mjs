// node speak.mjs BROKER PROTOCOL LOGIN FILTER [TOPIC PAYLOAD]: what arrives on the filter is printed, one a line,
// until somebody closes the output; the payload is published as soon as the filter is subscribed to.
import mqtt from "mqtt";

const [broker, protocol, login, filter, topic, payload] = process.argv.slice(2);
const protocolVersion = protocol === "5" ? 5 : 4;
const properties = protocol === "5" ? { messageExpiryInterval: 5 } : undefined;
const client = await mqtt.connectAsync(broker, { protocolVersion, username: login, password: login });
client.on("message", (_, said) => console.log(said.toString()));
await client.subscribeAsync(filter, { qos: 1 });
if (topic) await client.publishAsync(topic, payload, { qos: 1, properties });

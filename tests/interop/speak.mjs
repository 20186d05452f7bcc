// node speak.mjs BROKER PROTOCOL LOGIN FILTER...: prints what arrives as "topic payload", one a line, and publishes
// what it reads in the same form.
import { createInterface } from "node:readline";
import mqtt from "mqtt";

const [broker, protocol, login, ...filters] = process.argv.slice(2);
const protocolVersion = protocol === "5" ? 5 : 4;
const properties = protocol === "5" ? { messageExpiryInterval: 5 } : undefined;
const client = await mqtt.connectAsync(broker, { protocolVersion, username: login, password: login });
client.on("message", (topic, payload) => console.log(`${topic} ${payload}`));
await client.subscribeAsync(filters, { qos: 1 });
for await (const line of createInterface({ input: process.stdin })) {
  const [topic] = line.split(" ", 1);
  await client.publishAsync(topic, line.slice(topic.length + 1), { qos: 1, properties });
}

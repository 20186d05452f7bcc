// Reads AsyncAPI documents and prints, one line of JSON for each, what the official parser finds.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const parser = new Parser();
for (const path of process.argv.slice(2)) {
  const { document, diagnostics } = await parser.parse(readFileSync(path, "utf8"));
  const found = document && {
    version: document.version(),
    channels: document.channels().all().map((one) => one.id()),
    operations: document.operations().all().map((one) => [one.id(), one.action()]),
    messages: document.components().messages().all().map((one) => one.id()),
  };
  const told = ({ severity, message, path: at }) => ({ severity, message, path: at });
  console.log(JSON.stringify({ found: found ?? null, diagnostics: diagnostics.map(told) }));
}

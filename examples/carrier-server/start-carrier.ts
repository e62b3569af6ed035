import { readFileSync } from "node:fs";
import { createCarrierServer } from "./carrier-server.ts";
import { MemoryCarrier } from "./memory-carrier.ts";

const [secretFile, port = "8090"] = process.argv.slice(2);
if (!secretFile) throw new Error("Name the file with the secret: start-carrier.ts carrier.secret [port]");

const carrier = new MemoryCarrier([
  { id: "trunk-1", name: "Frankfurt" },
  { id: "trunk-2", name: "Dublin" },
]);
carrier.stock(
  Array.from({ length: 200 }, (_, at) => ({
    number: `+4930100${10_000 + at}`,
    country: "DE",
    type: "local",
    capabilities: ["voice"],
  })),
);
// These need evidence. The others are sold at once.
const regulated = Array.from({ length: 20 }, (_, at) => `+4940100${10_000 + at}`);
carrier.stock(regulated.map((number) => ({ number, country: "DE", type: "local", capabilities: ["voice"] })));
carrier.requirements.regulate(regulated, [
  {
    id: "address",
    type: "address",
    description: "Address of the end user in Germany.",
    country: "DE",
    document_kinds: [],
  },
  {
    id: "identity",
    type: "document",
    description: "Proof of identity of the end user.",
    country: null,
    document_kinds: ["identity", "business_registration"],
  },
]);
createCarrierServer(carrier, readFileSync(secretFile, "utf8").trim()).listen(
  Number(port),
  "127.0.0.1",
  () => {
    console.log(`The example carrier listens on http://127.0.0.1:${port}.`);
  },
);

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
createCarrierServer(carrier, readFileSync(secretFile, "utf8").trim()).listen(
  Number(port),
  "127.0.0.1",
  () => {
    console.log(`The example carrier listens on http://127.0.0.1:${port}.`);
  },
);

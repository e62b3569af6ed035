import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

export interface Question {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A customer's program behind HTTPS, on an address of this machine. */
export interface AskedProgram extends AsyncDisposable {
  url: string;
  port: number;
  questions: Question[];
  /** Sends the response, or none. */
  answer: (response: ServerResponse, question: Question) => void;
}

export const says =
  (said: unknown, status = 200): AskedProgram["answer"] =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));

/** Its certificate is trusted by this process from now on. */
export async function openProgram(): Promise<AskedProgram> {
  const { key, cert } = makeCertificate();
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  const server = createServer({ key, cert }, (request, response) => {
    void text(request).then((body) => {
      const question = { path: request.url ?? "", headers: request.headers, body };
      program.questions.push(question);
      program.answer(response, question);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const program: AskedProgram = {
    url: `https://127.0.0.1:${port}/calls`,
    port,
    questions: [],
    answer: says({ action: "reject", code: 486 }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return program;
}

function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-program-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=program", "-addext", "subjectAltName=IP:127.0.0.1,DNS:*.example.org"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...names, "-out", cert, "-keyout", key], {
    stdio: "ignore",
  });
  const made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}

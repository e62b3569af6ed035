import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { makeCertificate } from "../sip/test-certificate.ts";

export interface Question {
  headers: Record<string, string>;
  body: string;
}

type Answer = (response: ServerResponse) => void;

/** A program of the customer's that says where calls go, behind HTTPS. */
export interface CustomerProgram extends AsyncDisposable {
  url: string;
  /** Certificate that clients must trust. */
  certificateFile: string;
  questions: Question[];
  /** Maximum of concurrent requests since the last call of `answers`. */
  mostOpen(): number;
  answers(answer: Answer): void;
}

export const says =
  (said: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));

export async function openCustomerProgram(): Promise<CustomerProgram> {
  const certificate = makeCertificate();
  const questions: Question[] = [];
  let answer: Answer = says({});
  let [open, most] = [0, 0];
  const server = createServer(certificate, (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once("close", () => (open -= 1));
    void text(request).then((body) => {
      questions.push({ headers: flat(request.headers), body });
      answer(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/calls`,
    certificateFile: certificate.certFile,
    questions,
    mostOpen: () => most,
    answers: (next) => {
      [answer, most] = [next, open];
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      certificate[Symbol.dispose]();
    },
  };
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

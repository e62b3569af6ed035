import { once } from "node:events";
import { createServer } from "node:net";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text as they came over the wire. */
  data: string;
}

export interface SmtpServer extends AsyncDisposable {
  url: string;
  received: ReceivedMail[];
  /** Rejects the next mails temporarily, as a busy server does. */
  refuse(times: number): void;
}

/** Subset of RFC 5321 that a client needs to send a mail. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  let refusals = 0;
  const server = createServer((socket) => {
    let mail: ReceivedMail = { from: "", to: [], data: "" };
    let isData = false;
    let waiting = "";
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const hear = (line: string): void => {
      if (isData) {
        if (line !== ".") return void (mail.data += `${line}\n`);
        isData = false;
        received.push(mail);
        mail = { from: "", to: [], data: "" };
        return say("250 kept");
      }
      const [, verb = "", address = ""] =
        /^(EHLO|MAIL FROM|RCPT TO|DATA|QUIT|RSET)[: ]*<?([^>\s]*)/i.exec(line) ?? [];
      switch (verb.toUpperCase()) {
        case "MAIL FROM":
          mail.from = address;
          return say(refusals-- > 0 ? "451 busy, come again" : "250 ok");
        case "RCPT TO":
          mail.to.push(address);
          return say("250 ok");
        case "DATA":
          isData = true;
          return say("354 go on");
        case "QUIT":
          return void socket.end("221 bye\r\n");
        default:
          return say("250 ok");
      }
    };
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      const lines = (waiting + chunk).split("\r\n");
      waiting = lines.pop()!;
      lines.forEach(hear);
    });
    say("220 ready");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (times) => void (refusals = times),
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { RunningKamailio } from "./running-kamailio.ts";

/** Calls a number `count` times in sequence, and counts the final responses. */
export async function callMany(
  kamailio: RunningKamailio,
  called: string,
  count: number,
): Promise<Map<string, number>> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  const answers = new Map<string, number>();
  for (let call = 0; call < count; call++) {
    const head = (method: string, toTag = "") =>
      [
        `${method} sip:${called}@${kamailio.sipAddress}:5060 SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${port}-${call};rport`,
        "Max-Forwards: 70",
        `From: <sip:+4989123456@127.0.0.1>;tag=f${call}`,
        `To: <sip:${called}@${kamailio.sipAddress}>${toTag}`,
        `Call-ID: c${call}@127.0.0.1:${port}`,
        `CSeq: 1 ${method}`,
        `Contact: <sip:127.0.0.1:${port}>`,
        "Content-Length: 0\r\n\r\n",
      ].join("\r\n");
    socket.send(head("INVITE"), 5060, kamailio.sipAddress);
    const code = await finalAnswer(socket, call);
    answers.set(code, (answers.get(code) ?? 0) + 1);
    socket.send(head("ACK"), 5060, kamailio.sipAddress);
  }
  socket.close();
  return answers;
}

function finalAnswer(socket: ReturnType<typeof createSocket>, call: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish("none"), 2_000);
    const take = (message: Buffer): void => {
      const text = message.toString("latin1");
      const code = /^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? "";
      if (code >= "200" && text.includes(`Call-ID: c${call}@`)) finish(code);
    };
    const finish = (code: string): void => {
      clearTimeout(timer);
      socket.off("message", take);
      resolve(code);
    };
    socket.on("message", take);
  });
}

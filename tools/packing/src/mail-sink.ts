import { createServer } from "node:net";

/** As much of RFC 5321 as it takes to be handed a mail; each is passed on as it came. */
export function listenForMail(port: number, onMail: (text: string) => void): void {
  const server = createServer((socket) => {
    let [waiting, mail] = ["", ""];
    let isData = false;
    const receive = (line: string): string | undefined => {
      if (isData && line !== ".") return void (mail += `${line}\n`);
      if (isData) {
        isData = false;
        onMail(mail);
        mail = "";
      } else if (/^DATA/i.test(line)) {
        isData = true;
        return "354 go on";
      }
      return "250 ok";
    };
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      const lines = (waiting + chunk).split("\r\n");
      waiting = lines.pop()!;
      for (const line of lines) {
        const answer = receive(line);
        if (answer) socket.write(`${answer}\r\n`);
      }
    });
    socket.write("220 ready\r\n");
  });
  server.listen(port, "127.0.0.1");
  server.unref();
}

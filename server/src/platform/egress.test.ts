import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  checkTargetUrl,
  type EgressFault,
  guardedPost,
  isAllowedAddress,
  isForbiddenName,
  resolveAllowed,
} from "./egress.ts";
import { readEgress } from "./egress-rules.ts";

const NOTHING = readEgress("");
const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 };

describe("the operator's rules", () => {
  test("are read entry by entry, spaces or not", () => {
    expect(readEgress(" 10.1.2.3/8, 127.0.0.0/8:5060-5090,fd00::/8:8443+http ,")).toEqual({
      open: [
        { network: "10.0.0.0/8", firstPort: 1, lastPort: 65_535, plainHttp: false },
        { network: "127.0.0.0/8", firstPort: 5_060, lastPort: 5_090, plainHttp: false },
        { network: "fd00::/8", firstPort: 8_443, lastPort: 8_443, plainHttp: true },
      ],
      closed: [],
      names: [],
    });
    expect(readEgress("-203.0.113.7,-2001:db8::/32,.Corp.Internal")).toEqual({
      open: [],
      closed: ["203.0.113.7/32", "2001:db8::/32"],
      names: [".corp.internal"],
    });
    expect(NOTHING).toEqual({ open: [], closed: [], names: [] });
  });

  test.each([
    ["10.0.0.1", "must be a network with its bits"],
    ["10.0.0.0/33", "holds no network"],
    ["10.1/16", "holds no network"],
    ["localhost/8", "holds no network"],
    ["::ffff:10.0.0.0/104", "holds no network"],
    ["10.0.0.0/8:0", "ports from 1 to 65535"],
    ["10.0.0.0/8:65536", "ports from 1 to 65535"],
    ["10.0.0.0/8:90-80", "the lower one first"],
    ["10.0.0.0/8:", "must be a network with its bits"],
    ["10.0.0.0/8+ftp", "must be a network with its bits"],
    ["10.0.0.0/8 127.0.0.0/8", "must be a network with its bits"],
    ["-10.0.0.0/8:80", "holds no network"],
    ["-", "holds no network"],
    [".", "is not the ending of a name"],
    ["..corp", "is not the ending of a name"],
    [".corp-", "is not the ending of a name"],
  ])("rejects %j by name", (entry, complaint) => {
    expect(() => readEgress(`192.168.0.0/16,${entry}`)).toThrow(complaint);
    expect(() => readEgress(`192.168.0.0/16,${entry}`)).toThrow(`“${entry}”`);
  });

  test("open addresses on their ports, close what is public, and what is closed stays closed", () => {
    const rules = readEgress("10.0.0.0/8,127.0.0.0/8:5060-5090,-8.8.8.0/24,-10.9.0.0/16");
    const allowed = (address: string, port?: number) => isAllowedAddress(rules, address, { port });

    expect([allowed("10.1.2.3"), allowed("10.1.2.3", 9), allowed("::ffff:10.1.2.3", 9)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([
      allowed("127.0.0.1", 5_059),
      allowed("127.0.0.1", 5_060),
      allowed("127.0.0.1", 5_090),
      allowed("127.0.0.1", 5_091),
      allowed("127.0.0.1"),
    ]).toEqual([false, true, true, false, true]);
    expect([allowed("8.8.4.4", 9), allowed("8.8.8.8", 9), allowed("::ffff:8.8.8.8", 9)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([allowed("10.9.0.1"), allowed("192.168.0.1"), allowed("::1"), allowed("garbage")]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(["127.0.0.1", "10.1.2.3", "garbage"].filter((one) => isAllowedAddress(NOTHING, one))).toEqual([]);
  });
});

test.each([
  ["intranet", true],
  ["localhost", true],
  ["LOCALHOST.", true],
  ["a.localhost", true],
  ["printer.local", true],
  ["metadata.google.internal", true],
  ["box.home.arpa", true],
  ["x.onion", true],
  ["x.test", true],
  ["x.invalid", true],
  ["nas.lan", true],
  ["api.default.svc", true],
  ["db.service.consul", true],
  ["1.2.3", true],
  ["x.0x7f", true],
  ["", true],
  ["hooks.example.com", false],
  ["local.example.com.", false],
  ["internal.xn--p1ai", false],
])("whether the name %j belongs to the inside: %j", (host, isInside) => {
  expect(isForbiddenName(NOTHING, host)).toBe(isInside);
});

test("an ending the operator opens holds for the name itself and what is below it, and no other", () => {
  const rules = readEgress(".corp.internal");

  expect(isForbiddenName(rules, "corp.internal")).toBe(false);
  expect(isForbiddenName(rules, "PBX.corp.internal.")).toBe(false);
  expect(isForbiddenName(rules, "evilcorp.internal")).toBe(true);
});

describe("a webhook's URL", () => {
  const rules = readEgress("127.0.0.0/8:8080+http,10.0.0.0/8,-1.1.1.1");

  test.each([
    ["http://example.com/", "must begin with https://"],
    ["https://user:p@example.com/", "user or a password"],
    ["https://user@example.com/", "user or a password"],
    ["https://example.com/#top", "fragment"],
    ["https://localhost/", "localhost, which is not a public name"],
    ["https://printer.local/", "not a public name"],
    ["https://intranet/", "not a public name"],
    ["https://metadata.google.internal/", "not a public name"],
    ["https://127.0.0.1/", "127.0.0.1, which is not a public address"],
    ["https://127.1/", "not a public address"],
    ["https://0x7f.1/", "not a public address"],
    ["https://2130706433/", "not a public address"],
    ["https://0177.0.0.1/", "not a public address"],
    ["https://127.0.0.1./", "not a public address"],
    ["https://%31%32%37.0.0.1/", "not a public address"],
    ["https://[::1]/", "not a public address"],
    ["https://[::ffff:127.0.0.1]/", "not a public address"],
    ["https://[::127.0.0.1]/", "not a public address"],
    ["https://169.254.169.254/latest/meta-data", "not a public address"],
    ["https://①②⑦.0.0.1/", "ASCII"],
    ["https://bücher.example.com/", "ASCII"],
    ["https://example.com/a b", "ASCII"],
    ["https://example.com/\r\nX: y", "ASCII"],
    ["https://example.com\\@127.0.0.1/", "ASCII"],
    [`https://example.com/${"x".repeat(2_000)}`, "2000"],
    ["https://example.com:22/", "Port 22 is not open"],
    ["https://8.8.8.8:8443/", "Port 8443 is not open"],
    ["ftp://example.com/", "must look like"],
    ["file:///etc/passwd", "must look like"],
    ["https:example.com", "must look like"],
    ["https:///example.com", "must look like"],
    [" https://example.com/", "must look like"],
    ["https://", "must look like"],
    ["", "must look like"],
  ])("rejects %j with the reason", (url, complaint) => {
    expect(checkTargetUrl(NOTHING, url)).toContain(complaint);
  });

  test.each(["https://hooks.example.com/x?y=1", "HTTPS://Hooks.Example.com:443", "https://8.8.8.8/x"])(
    "%j is fine",
    (url) => {
      expect(checkTargetUrl(NOTHING, url)).toBeUndefined();
    },
  );

  test.each([
    ["http://127.0.0.1:8080/", undefined],
    ["https://127.0.0.1:8080/", undefined],
    ["http://127.0.0.1:8081/", "Port 8081"],
    ["https://127.0.0.1/", "port 443"],
    ["https://10.0.0.1:9000/", undefined],
    ["http://10.0.0.1:8080/", "must begin with https://"],
    ["http://8.8.8.8:8080/", "must begin with https://"],
    ["https://1.1.1.1/", "not a public address"],
    // Whether the name may be called so is known once it is resolved.
    ["http://hooks.example.com:8080/", undefined],
    ["https://hooks.example.com:9000/", undefined],
    ["http://hooks.example.com/", "Port 80 "],
  ])("%j under the operator's rules: %j", (url, complaint) => {
    const fault = checkTargetUrl(rules, url);
    if (complaint === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(complaint);
  });
});

test("SS-02 of a host's addresses all must be allowed, and all are handed back", async () => {
  const answering = (addresses: string[]) => async () => addresses;
  const rules = readEgress("127.0.0.0/8:5060");

  const fine = [
    await resolveAllowed(NOTHING, "a.example.com", 5060, answering(["1.1.1.1", "2606::1"])),
    await resolveAllowed(rules, "a.example.com", 5060, answering(["127.0.0.1"])),
    await resolveAllowed(NOTHING, "8.8.8.8", 5060, answering(["127.0.0.1"])),
  ];
  expect(fine).toEqual([["1.1.1.1", "2606::1"], ["127.0.0.1"], ["8.8.8.8"]]);
  const refused: [string, number, string[]][] = [
    ["a.example.com", 5060, ["1.1.1.1", "10.0.0.1"]],
    ["a.example.com", 5061, ["127.0.0.1"]],
    ["a.example.com", 5060, ["fe80::1%eth0"]],
    ["localhost", 5060, ["1.1.1.1"]],
    ["10.0.0.1", 5060, ["1.1.1.1"]],
  ];
  for (const [host, port, addresses] of refused)
    await expect(resolveAllowed(rules, host, port, answering(addresses))).rejects.toMatchObject({
      reason: "refused",
    });
  await expect(resolveAllowed(rules, "a.example.com", 5060, answering([]))).rejects.toMatchObject({
    reason: "unreachable",
  });
});

describe("a POST to a customer", () => {
  test("reaches an address that the operator allows, with body and headers, and returns the response", async () => {
    const { port, hits } = await serve((request, response) => {
      void text(request).then((body) => response.writeHead(201, { "x-said": "so" }).end(`got ${body}`));
    });

    const reply = await guardedPost(
      readEgress(`127.0.0.0/8:${port}+http`),
      `http://127.0.0.1:${port}/hook?a=1`,
      { body: '{"a":"ä"}', headers: { "content-type": "application/json" } },
      LIMITS,
    );

    expect({ ...reply, body: reply.body.toString() }).toMatchObject({
      status: 201,
      body: 'got {"a":"ä"}',
      headers: { "x-said": "so" },
    });
    expect(hits).toMatchObject([
      {
        method: "POST",
        url: "/hook?a=1",
        headers: { "content-type": "application/json", "content-length": "10", connection: "close" },
      },
    ]);
  });

  test("SS-01 never reaches a loopback address that is not opened, as a literal or behind a name", async () => {
    const { port, hits } = await serve();
    // Opened for another network, so that neither the port nor http is what stops it.
    const rules = readEgress(`10.0.0.0/8:${port}+http`);

    expect(await failure(post(rules, `http://127.0.0.1:${port}/`))).toBe("refused");
    expect(await failure(post(rules, `http://[::ffff:127.0.0.1]:${port}/`))).toBe("refused");
    expect(await failure(post(rules, `http://evil.example.com:${port}/`, ["127.0.0.1"]))).toBe("refused");
    expect(await failure(post(rules, `http://evil.example.com:${port}/`, ["10.0.0.1", "127.0.0.1"]))).toBe(
      "refused",
    );
    expect(hits).toEqual([]);
  });

  test("SS-02 asks for a name's addresses once: one that answers otherwise the second time gains nothing", async () => {
    const { port, hits } = await serve();
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    let asked = 0;

    const reply = await guardedPost(
      readEgress(`127.0.0.1/32:${port}+http`),
      `http://rebind.example.com:${port}/`,
      { body: "x" },
      { ...LIMITS, resolver: async () => answers[asked++]! },
    );

    expect([reply.status, asked, hits.length]).toEqual([200, 1, 1]);
    expect(hits[0]!.headers.host).toBe(`rebind.example.com:${port}`);
    const second = guardedPost(
      readEgress(`127.0.0.1/32:${port}+http`),
      `http://rebind.example.com:${port}/`,
      { body: "x" },
      { ...LIMITS, resolver: async () => answers[asked++]! },
    );
    expect(await failure(second)).toBe("refused");
    expect(hits).toHaveLength(1);
  });

  test("tries the next address of the name if the first does not respond", async () => {
    const { port, hits } = await serve();

    const reply = await post(readEgress(`127.0.0.0/8:${port}+http`), `http://two.example.com:${port}/`, [
      "127.0.0.2",
      "127.0.0.1",
    ]);

    expect([reply.status, hits.length]).toEqual([200, 1]);
  });

  test("SS-03 follows no redirect", async () => {
    const { port, hits } = await serve((request, response) => {
      response.writeHead(request.url === "/secret" ? 200 : 307, { location: "/secret" }).end("secret");
    });

    const reply = await post(readEgress(`127.0.0.0/8:${port}+http`), `http://127.0.0.1:${port}/`);

    expect([reply.status, hits.map(({ url }) => url)]).toEqual([307, ["/"]]);
  });

  test("SS-04 takes a reply up to its limit and closes the connection on a longer one", async () => {
    let closed: Promise<unknown> | undefined;
    const { port } = await serve((request, response) => {
      if (request.url === "/fits") return void response.end("x".repeat(LIMITS.maxBytes));
      closed = once(response, "close");
      const more = (): void => void (response.write("x".repeat(100)) && setImmediate(more));
      more();
    });
    const rules = readEgress(`127.0.0.0/8:${port}+http`);

    expect((await post(rules, `http://127.0.0.1:${port}/fits`)).body).toHaveLength(LIMITS.maxBytes);
    expect(await failure(post(rules, `http://127.0.0.1:${port}/endless`))).toBe("too_large");
    await closed;
  });

  test("SS-04 times out if name, response or body is late", async () => {
    const { port } = await serve((request, response) => {
      if (request.url === "/rest") response.write("the first half");
    });
    const rules = readEgress(`127.0.0.0/8:${port}+http`);
    const url = `http://127.0.0.1:${port}`;
    const limits = { ...LIMITS, timeoutMs: 100 };
    const never = new Promise<string[]>(() => {});

    expect(await failure(guardedPost(rules, `${url}/answer`, { body: "x" }, limits))).toBe("timeout");
    expect(await failure(guardedPost(rules, `${url}/rest`, { body: "x" }, limits))).toBe("timeout");
    const named = `http://slow.example.com:${port}/`;
    expect(
      await failure(guardedPost(rules, named, { body: "x" }, { ...limits, resolver: () => never })),
    ).toBe("timeout");
  });

  test("is unreachable if no server listens, the connection breaks, or the protocol is not HTTP", async () => {
    const says = async (words: string | undefined) => {
      const { port } = await listen((socket) => {
        socket.once("data", () => (words === undefined ? socket.destroy() : socket.end(words)));
      });
      const url = `http://127.0.0.1:${port}/`;
      return failure(post(readEgress("127.0.0.0/8+http"), url));
    };

    expect(await says(undefined)).toBe("unreachable");
    expect(await says("220 mail.example.com ESMTP\r\n")).toBe("unreachable");
    expect(await says("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n")).toBe(
      "unreachable",
    );
    expect(await says("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")).toBe("unreachable");
    expect(
      await failure(post(readEgress("127.0.0.0/8+http"), "http://a.example.com:1/", ["127.0.0.1"])),
    ).toBe("unreachable");
  });

  test("over https goes to the checked address too, and names the host it wants", async () => {
    let hello = "";
    const { port } = await listen((socket) => {
      socket.once("data", (bytes) => {
        hello = bytes.toString("latin1");
        socket.destroy();
      });
    });

    const posting = post(readEgress(`127.0.0.0/8:${port}`), `https://hooks.example.com:${port}/`, [
      "127.0.0.1",
    ]);

    expect(await failure(posting)).toBe("unreachable");
    expect([hello[0], hello.includes("hooks.example.com")]).toEqual(["\x16", true]);
  });

  test("does not go through a proxy of the environment", async () => {
    const { port, hits } = await serve();
    const proxy = await serve();
    const script = `
      import http from "node:http";
      import { guardedPost } from ${JSON.stringify(new URL("egress.ts", import.meta.url).href)};
      import { readEgress } from ${JSON.stringify(new URL("egress-rules.ts", import.meta.url).href)};
      const url = "http://127.0.0.1:${port}/";
      await guardedPost(readEgress("127.0.0.0/8+http"), url, { body: "x" }, ${JSON.stringify(LIMITS)});
      http.get(url, (response) => response.resume());`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
    });
    const complaints = text(child.stderr);

    expect([(await once(child, "close"))[0], await complaints]).toEqual([0, ""]);
    // The second request is the control: it shows that the proxy would be used.
    expect([hits.length, proxy.hits.map(({ method }) => method)]).toEqual([1, ["GET"]]);
  });
});

function post(rules: ReturnType<typeof readEgress>, url: string, addresses: string[] = []) {
  return guardedPost(rules, url, { body: "x" }, { ...LIMITS, resolver: async () => addresses });
}

async function failure(posting: Promise<unknown>): Promise<string> {
  return posting.then(
    () => "answered",
    (error: EgressFault) => error.reason,
  );
}

async function serve(answer: RequestListener = (_, response) => void response.end("hello")) {
  const hits: { method: string; url: string; headers: Record<string, unknown> }[] = [];
  const server = createHttpServer((request, response) => {
    hits.push({ method: request.method!, url: request.url!, headers: request.headers });
    answer(request, response);
  });
  onTestFinished(() => server.closeAllConnections());
  return { port: await open(server), hits };
}

async function listen(onConnection: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  });
  return { port: await open(server) };
}

async function open(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The same mutations for the same seed, so that what was found once can be found again. */
export function makeMutator(seed: number): (text: string) => string {
  let state = seed;
  const random = (below: number): number => {
    // A linear congruential generator; its upper bits are good enough here.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const mutations: ((text: string) => string)[] = [
    (text) => text.slice(0, random(text.length)),
    (text) => splice(text, random(text.length), 1, String.fromCharCode(random(256))),
    (text) => splice(text, random(text.length), random(40), ""),
    (text) => splice(text, random(text.length), 0, pick(NASTY)),
    (text) => splice(text, random(text.length), 0, pick(NASTY).repeat(1 + random(300))),
    (text) => onLines(text, (lines) => lines.toSpliced(random(lines.length), 1)),
    (text) => onLines(text, (lines) => lines.toSpliced(random(lines.length), 0, pick(lines))),
    (text) => onLines(text, (lines) => lines.with(1 + random(lines.length - 1), pick(lines))),
    (text) => onLines(text, (lines) => lines.toSpliced(1, 0, pick(LINES))),
    (text) => text.replace(/\d+/g, (digits) => (random(6) === 0 ? pick(NUMBERS) : digits)),
    (text) => text.replaceAll("\r\n", pick(["\n", "\r", "\r\n ", "\r\n\t", "\r\n"])),
    (text) => text.replace(/:.*/, () => ":"),
    (text) => text.replace(/^\S+/, pick(METHODS)),
    (text) => text + text,
  ];
  return (text) => {
    let mutated = text;
    for (let times = 1 + random(4); times > 0; times -= 1) mutated = pick(mutations)(mutated);
    // More does not fit into a datagram.
    return mutated.slice(0, 60_000);
  };
}

const NASTY = [
  "%s%n",
  "\0",
  "\r\n\r\n",
  "'",
  '"',
  "<",
  ">",
  ";",
  "|",
  "~",
  "$var(x)",
  "$avp(rid)",
  "%00",
  "é",
  "' or 1=1 --",
  "[::1]",
  "A",
];
const NUMBERS = ["-1", "0", "65536", "4294967296", "99999999999999999999", "1e9", ""];
const METHODS = [
  "INVITE",
  "ACK",
  "BYE",
  "CANCEL",
  "REGISTER",
  "OPTIONS",
  "SIP/2.0",
  "NOTIFY",
  "REFER",
  "X",
  "",
  "GET",
];
const LINES = [
  "To: <sip:a@b>;tag=forged",
  "Content-Length: 100000",
  "Content-Length: -5",
  "Max-Forwards: 0",
  "Max-Forwards: 256",
  "CSeq: 4294967296 INVITE",
  "Via: SIP/2.0/UDP",
  "Via: SIP/2.0/UDP [::::]:99999;branch=;maddr=;ttl=999",
  "Route: <sip:;lr>, <",
  "Record-Route: <sip:x;tk=~~~~~~~~~~~~~>",
  "Route: <sip:x;lr;tk=a~b~c~d~e~f~g~h~i~j~k~l~m~n>",
  "Contact: *",
  "Call-ID:",
  'From: "',
  "Require: everything",
  "Content-Type: multipart/mixed;boundary=",
];

const splice = (text: string, at: number, remove: number, insert: string): string =>
  text.slice(0, at) + insert + text.slice(at + remove);

const onLines = (text: string, change: (lines: string[]) => string[]): string => {
  const lines = text.split("\r\n");
  return lines.length < 3 ? text : change(lines).join("\r\n");
};

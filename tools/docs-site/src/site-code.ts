import { escapeHtml } from "./site-html.ts";

/** Highlighted parts of a snippet: comments, strings, keywords and input. */
const KINDS = ["note", "string", "word", "number"] as const;
type Kinds = Partial<Record<(typeof KINDS)[number], RegExp>>;

const TEXTS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const SHELL: Kinds = {
  note: /(?<=^|\s)#.*$/,
  string: TEXTS,
  word: /\b(?:if|then|else|fi|for|in|do|done|until|while|export|case|esac)\b/,
  number: /\$\{?\w+\}?/,
};
const SCRIPT: Kinds = {
  note: /(?<=^|\s)\/\/.*$/,
  string: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/,
  word: /\b(?:import|export|from|const|let|await|async|for|of|in|new|return|try|catch|throw|if|else|as|function|typeof|instanceof)\b/,
  number: /\b\d[\d_]*\b/,
};
const LANGUAGES: Record<string, Kinds> = {
  sh: SHELL,
  bash: SHELL,
  ts: SCRIPT,
  js: SCRIPT,
  json: { word: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/, string: TEXTS, number: /\b(?:true|false|null|-?\d[\d.]*)\b/ },
  sql: {
    note: /--.*$/,
    string: /'[^']*'/,
    word: /\b(?:create|role|login|database|owner|select|from|where)\b/,
  },
  http: { word: /^(?:GET|POST|PUT|PATCH|DELETE)\b/, number: /^[\w-]+(?=: )/, string: TEXTS },
};

export function colourCode(text: string, language: string): string {
  if (language === "console") return colourSession(text);
  const kinds = LANGUAGES[language];
  return kinds ? colour(text, kinds) : escapeHtml(text);
}

/** A line after a prompt is input, and so are indented lines that continue it. */
function colourSession(text: string): string {
  let isTyped = false;
  return text
    .split("\n")
    .map((line) => {
      isTyped = line.startsWith("$ ") || (isTyped && /^ {2}/.test(line));
      return isTyped ? colour(line, SHELL) : `<span class="code-note">${escapeHtml(line)}</span>`;
    })
    .join("\n");
}

/** The kind that begins first counts, up to its end. */
function colour(text: string, kinds: Kinds): string {
  const known = KINDS.filter((kind) => kinds[kind]);
  const pattern = new RegExp(known.map((kind) => `(?<${kind}>${kinds[kind]!.source})`).join("|"), "gm");
  let html = "";
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = known.find((one) => match.groups?.[one] !== undefined)!;
    html += escapeHtml(text.slice(end, match.index));
    html += `<span class="code-${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

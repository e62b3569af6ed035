/** Parameters from the tool that opened the browser. The service validates them. */
export interface ToolSearch {
  client_name: string;
  redirect_uri: string;
  code_challenge: string;
  state: string;
}

export function readToolSearch(raw: Record<string, unknown>): ToolSearch {
  const text = (name: string): string => (typeof raw[name] === "string" ? raw[name] : "");
  return {
    client_name: text("client_name"),
    redirect_uri: text("redirect_uri"),
    code_challenge: text("code_challenge"),
    state: text("state"),
  };
}

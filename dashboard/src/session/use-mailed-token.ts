import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";

/**
 * The token of a mailed link is in the fragment, which servers and logs never see. It is removed from the
 * URL, and survives an intermediate sign-in until it is cleared.
 */
export function useMailedToken(purpose: string): [token: string | undefined, forget: () => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const [token, setToken] = useState(() => hash || (sessionStorage.getItem(purpose) ?? undefined));
  useEffect(() => {
    if (!hash) return;
    sessionStorage.setItem(purpose, hash);
    setToken(hash);
    void navigate({ to: ".", hash: "", replace: true });
  }, [hash, purpose, navigate]);
  const forget = useCallback(() => {
    sessionStorage.removeItem(purpose);
    setToken(undefined);
  }, [purpose]);
  return [token, forget];
}

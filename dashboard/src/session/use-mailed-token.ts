import { useLocation, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";

/**
 * The token of a mailed link stands behind the #, where no server and no log sees it. It is taken out of the address,
 * and outlives signing in first, until it is forgotten.
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

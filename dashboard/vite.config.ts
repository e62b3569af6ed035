import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The API of `npm run dev`, for pages that are served by Vite while one works on them. */
const API = "http://127.0.0.1:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  server: { proxy: { "/v1": API, "/operator/v1": API, "/docs": API } },
  build: {
    target: "es2023",
    // The policy takes no data: address for scripts and styles; every asset is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Without this group each icon that two pages share becomes a separate file, and a page waits for forty
    // of them.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "icons", test: /lucide-react/ }] } } },
  },
});

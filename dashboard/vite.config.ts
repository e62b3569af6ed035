import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The API of `npm run dev`, for pages that are served by Vite while one works on them. */
const API = "http://127.0.0.1:8080";

/** Own modules of most pages: without those of forms, which load with the first dialog. */
const SHARED =
  /dashboard\/src\/(?!operator\/(?!operator-list)|calls|session\/[A-Z]|numbers\/RoutingFields|bulk-changes|jobs)/;

/** Parts of the page of a number that other pages show too, without those of the page of a call. */
const OF_NUMBERS =
  /sdk\/src\/local-days|dashboard\/src\/((usage|live|jobs|releases)\/|calls\/(?!call-(ladder|text|verdict)|Call(Ladder|Steps|Phases|Facts)|Misrouted|FactGroup)|components\/(Dot|StatusBadge)|numbers\/RoutingStatus)/;

/** Files that several pages share. The highest priority wins. */
const GROUPS = [
  {
    name: "framework",
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!react-virtual|virtual)[a-z-]+)\//,
    priority: 5,
  },
  { name: "icons", test: /lucide-react/, priority: 5 },
  { name: "forms", test: /react-hook-form/, priority: 5 },
  { name: "parts", test: /@base-ui|@floating-ui|sdk\/src\//, minShareCount: 3, priority: 2 },
  {
    name: "shell",
    test: /dashboard\/src\/(shell\/(Shell|Sidebar|Frame|AccountMenu|ShortcutSheet|shortcuts|plain-search)|views\/(SavedViews|ViewTabs|views-query|views-text)|components\/(DataTable|Freshness|density))\./,
    priority: 3,
  },
  { name: "palette", test: /dashboard\/src\/shell\/(PaletteDialog|CommandPalette)\./, priority: 4 },
  { name: "shared", test: SHARED, minShareCount: 3, priority: 2 },
  { name: "numbers", test: OF_NUMBERS, minShareCount: 2, priority: 1 },
];

/** Text needs this font at once. The other font waits until a page uses it. */
const FIRST_FONT = /inter-latin.*\.woff2$/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), preloadFont(), writeBrotli()],
  server: { proxy: { "/v1": API, "/operator/v1": API, "/docs": API } },
  build: {
    target: "es2023",
    // The policy takes no data: address for scripts and styles; every asset is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Without groups, each module that two pages share becomes a separate file, and a page waits for forty.
    rolldownOptions: {
      output: {
        codeSplitting: { minSize: 12_000, includeDependenciesRecursively: false, groups: GROUPS },
      },
    },
  },
});

function preloadFont(): Plugin {
  return {
    name: "preload-font",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => FIRST_FONT.test(name));
        if (!font) return [];
        const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${font}` };
        return [{ tag: "link", attrs, injectTo: "head" }];
      },
    },
  };
}

/** Compressed once, at the highest level, so that no start of the service has to. */
function writeBrotli(): Plugin {
  return {
    name: "write-brotli",
    apply: "build",
    async writeBundle({ dir }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|css|html|svg)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir!, name);
          await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path)));
        }),
      );
    },
  };
}

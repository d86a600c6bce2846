// Builds src/ into ../src/trundle/view/static, which is committed: a user never needs node.
//   npm ci && npm run build          after a change of web/src
//   npm run check                    is what is committed what this source gives?
import { build } from "esbuild";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/trundle/view/static");
const check = process.argv.includes("--check");
const out = check ? await mkdtemp(join(tmpdir(), "trundle-page-")) : target;

const { version: three } = JSON.parse(await readFile(join(here, "node_modules/three/package.json"), "utf8"));
const { version: uplot } = JSON.parse(await readFile(join(here, "node_modules/uplot/package.json"), "utf8"));
await build({
  entryPoints: { viewer: join(here, "src/main.js") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome100", "firefox113", "safari16.4"],
  loader: { ".json": "json" },
  legalComments: "none",
  banner: {
    js: `/* trundle's page. Contains three.js ${three} (MIT, (c) three.js authors) and uPlot ${uplot} (MIT, (c) Leon Sorokin); see LICENSES.txt. */`,
  },
});
const licences = [];
for (const name of ["three", "uplot"]) licences.push(`${name}\n\n${await readFile(join(here, "node_modules", name, "LICENSE"), "utf8")}`);
await writeFile(join(out, "LICENSES.txt"), licences.join("\n----\n\n"));
for (const name of ["index.html", "icon.svg", "colours.json"]) await copyFile(join(here, "src", name), join(out, name));

if (check) {
  let stale = 0;
  for (const name of ["viewer.js", "viewer.css", "index.html", "icon.svg", "colours.json", "LICENSES.txt"]) {
    const same = (await readFile(join(out, name))).equals(await readFile(join(target, name)));
    if (!same) console.error(`stale: src/trundle/view/static/${name}; run: npm run build`);
    stale += same ? 0 : 1;
  }
  await rm(out, { recursive: true });
  process.exit(stale ? 1 : 0);
}

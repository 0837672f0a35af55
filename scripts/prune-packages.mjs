// Runs after each `npm ci`: removes what packages bring and this project never loads, about a third of what is installed.
// The images run it with `--production` (Dockerfile.server), where nothing checks types either. Plain JavaScript, because it
// runs on whatever Node the machine has.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');
const isProduction = readCommandLine();

/** Removes everything in a folder of node_modules but these entries. */
const keepOnly = (folder, ...kept) => {
  const path = join(packages, folder);
  if (!existsSync(path)) return;
  for (const name of readdirSync(path)) {
    if (!kept.includes(name)) rmSync(join(path, name), { recursive: true });
  }
};

/** Whether it is for production. The commands' own reader is TypeScript, which an older Node does not load. */
function readCommandLine() {
  try {
    const { values } = parseArgs({ options: { production: { type: 'boolean' }, help: { type: 'boolean' } } });
    if (!values.help) return values.production === true;
    console.log(
      'Usage: node scripts/prune-packages.mjs [--production]\nRemoves what packages bring and Packshot never loads.\n  --production  types and compilers too\n  --help        prints this',
    );
    process.exit(0);
  } catch (error) {
    console.error(`prune-packages: ${error.message.split(/\. |\n/, 1)[0]}; --help lists the options`);
    process.exit(1);
  }
}

const remove = (folder) => rmSync(join(packages, folder), { recursive: true, force: true });

// Its package has the programs of all systems.
keepOnly('onnxruntime-node/bin/napi-v6', process.platform);
keepOnly(`onnxruntime-node/bin/napi-v6/${process.platform}`, process.arch);
// Its other folder is the same without WebAssembly, and the bundles have the WebAssembly in them.
remove('libheif-js/libheif');
keepOnly('libheif-js/libheif-wasm', 'LICENSE', 'libheif.d.ts', 'libheif.js', 'libheif.wasm');
// Headers for compiling native packages, and pages of the manual.
const nodePackage = `node/node_modules/node-${process.platform}-${process.arch}`;
for (const folder of ['include', 'share']) remove(`${nodePackage}/${folder}`);
// The renderer uses the panoramas, and of three only what decodes them.
keepOnly('@pmndrs/assets', 'hdri', 'package.json', 'LICENSE');
keepOnly('three/examples', 'jsm');
keepOnly('three/examples/jsm', 'libs', 'loaders');
keepOnly('three/examples/jsm/libs', 'fflate.module.js');
keepOnly('three/examples/jsm/loaders', 'EXRLoader.js');
for (const folder of ['three/src', 'openai/src', 'stripe/cjs']) remove(folder);

if (isProduction) {
  // A peer of a library of Bull Board.
  for (const folder of ['typescript', '@typescript']) remove(folder);
}

/** Source maps and manuals; types only in production. */
const isUnused = (name) =>
  /\.map$|^(readme|changelog|history)\b.*\.md$/i.test(name) || (isProduction && /\.d\.[cm]?ts$/.test(name));

if (existsSync(packages)) removeUnused(packages);

function removeUnused(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnused(path);
    else if (entry.isFile() && isUnused(entry.name)) rmSync(path);
  }
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { dts } from 'rollup-plugin-dts';

/** What is published, made of the modules that `tsc` has compiled into `build`: one file for each entry point, and chunks of what they share. */
const BROWSER = ['client/index', 'tanstack-query/index', 'react-admin/index', 'refine/index', 'schema/index'];
const API = ['index', 'testing/index', ...BROWSER];
const COMMAND_LINE = ['generator/bin', 'generator/typescript-hooks'];

const CHUNKS = [
  { name: 'shared', of: (reached) => reached.by('index') && reached.by(...BROWSER) },
  {
    name: 'client',
    of: (reached) => reached.by('client/index') && reached.by('tanstack-query/index', 'react-admin/index', 'refine/index'),
  },
  { name: 'admin-data', of: (reached) => reached.by('react-admin/index') && reached.by('refine/index') },
  { name: 'model', of: (reached) => reached.by('index') && reached.by(...COMMAND_LINE) },
  { name: 'module', of: (reached) => reached.by('index') && reached.by('testing/index') },
  { name: 'command-line', of: (reached) => reached.by('generator/bin') },
];

export default [
  {
    ...bundleOf([...API, ...COMMAND_LINE], 'js'),
    output: { ...filesIn('dist', 'js'), sourcemap: true, sourcemapExcludeSources: true },
  },
  {
    ...bundleOf(API, 'js'),
    plugins: [compiledModules(), packageOfCommonJs()],
    output: {
      ...filesIn('dist/cjs', 'js'),
      format: 'cjs',
      interop: 'auto',
      // Jest runs CommonJS without `import()`.
      dynamicImportInCjs: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  },
  { ...bundleOf(API, 'd.ts'), plugins: [dts()], output: [filesIn('dist', 'd.ts'), filesIn('dist/cjs', 'd.ts')] },
];

/** @param extension of the compiled files: `js` or `d.ts` */
function bundleOf(entries, extension) {
  return {
    input: Object.fromEntries(entries.map((name) => [name, `build/${name}.${extension}`])),
    external: (id) => !/^[./]|^\w:/.test(id),
    plugins: [compiledModules()],
    onLog,
  };
}

function filesIn(dir, extension) {
  return {
    dir,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name].${extension}`,
    hoistTransitiveImports: false,
    minifyInternalExports: false,
    manualChunks: chunksOf(extension),
  };
}

/** @returns a function from a module to the name of its chunk; undefined for one that a single entry point reaches */
function chunksOf(extension) {
  const reaches = new Map();
  return (id, { getModuleInfo }) => {
    const pathOf = (entry) => resolve('build', `${entry}.${extension}`);
    const reachOf = (entry) => {
      if (!reaches.has(entry)) reaches.set(entry, reachFrom(pathOf(entry), getModuleInfo));
      return reaches.get(entry);
    };
    const entry = [...API, ...COMMAND_LINE].find((name) => pathOf(name) === id);
    if (entry !== undefined) return entry;
    return CHUNKS.find(({ of }) => of({ by: (...entries) => entries.some((entry) => reachOf(entry).has(id)) }))?.name;
  };
}

/** @returns the modules that `id` imports, at once or later, and those that they import */
function reachFrom(id, getModuleInfo, reached = new Set()) {
  const info = getModuleInfo(id);
  if (info === null || info.isExternal || reached.has(id)) return reached;
  reached.add(id);
  for (const imported of [...info.importedIds, ...info.dynamicallyImportedIds]) reachFrom(imported, getModuleInfo, reached);
  return reached;
}

/** Loads the compiled modules with their source maps, and checks that no class has a new name: Nest prints the names of classes. */
function compiledModules() {
  return {
    name: 'compiled-modules',
    async load(id) {
      const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
      return { code: code.replace(/\n\/\/# sourceMappingURL=.*$/, ''), map };
    },
    renderChunk(code, { fileName }) {
      const [renamed] = /\bclass \w+\$\d+/.exec(code) ?? [];
      if (renamed !== undefined) this.error(`${fileName} has ${renamed}: two modules have a class, or one of them a global, of that name.`);
      return null;
    },
  };
}

/** Writes the package.json that declares the files beside it as CommonJS. */
function packageOfCommonJs() {
  const source = JSON.stringify({ type: 'commonjs', sideEffects: false });
  return {
    name: 'package-of-common-js',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'package.json', source });
    },
  };
}

/** Leaves out what is as it is to be: tsc's helpers test `this`, `./schema` has types alone, and not every type has a public name. */
function onLog(level, log, handle) {
  const expected = ['THIS_IS_UNDEFINED', 'EMPTY_BUNDLE'].includes(log.code) || log.message.includes('private shared type exports');
  if (!expected) handle(level === 'warn' ? 'error' : level, log);
}

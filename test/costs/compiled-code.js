const vm = require('node:vm');

/**
 * Jest gives each file of tests its own modules, so a worker compiles the same source again for each of them. This keeps V8's compiled
 * code of each source in the worker, with the functions that had run when the first file of tests ended.
 */
const compiled = new Map();
/** Sources compiled for the current file of tests that have no kept code yet. */
let fresh = [];

const compile = vm.compileFunction;

vm.compileFunction = (source, parameters, options) => {
  // V8 loses what Node needs for `import()` in code that it has kept.
  if (!options?.parsingContext || /\bimport\s*\(/.test(source)) return compile(source, parameters, options);
  const { filename, importModuleDynamically, parsingContext } = options;
  const before = `(function (${parameters.join(',')}) {`;
  const known = compiled.get(filename);
  const cachedData = known?.source === source ? known.data : undefined;
  const script = new vm.Script(`${before}${source}\n})`, {
    filename,
    columnOffset: -before.length,
    cachedData,
    importModuleDynamically,
  });
  if (!cachedData || script.cachedDataRejected) fresh.push({ filename, source, script });
  return script.runInContext(parsingContext);
};

function keepCompiled() {
  for (const { filename, source, script } of fresh) compiled.set(filename, { source, data: script.createCachedData() });
  fresh = [];
}

module.exports = { keepCompiled };

const { relative } = require('node:path');
const { createTransformer } = require('@swc/jest');

// Plants a defect (`defects.ts`) in the code that a test loads: VIGIL_PLANTED has its changes by file, as JSON.
const swc = createTransformer();
const changes = JSON.parse(process.env.VIGIL_PLANTED ?? '{}');

/** @type {import('@jest/transform').SyncTransformer} */
module.exports = {
  ...swc,
  process(source, path, options) {
    const own = changes[relative(options.config.rootDir, path)] ?? [];
    return swc.process(
      own.reduce((text, [from, to]) => text.replace(from, () => to), source),
      path,
      options,
    );
  },
};

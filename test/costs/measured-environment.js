const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const { disableStorages } = require('./async-storages');
const { keepCompiled } = require('./compiled-code');
const { cpuSeconds } = require('./cpu-seconds');

/** Jest's environment for Node. It notes what each file of tests costs, for `cost-reporter.js`, and leaves nothing that makes the next one dearer. */
module.exports = class MeasuredEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.file = relative(config.globalConfig.rootDir, context.testPath);
  }

  async setup() {
    this.before = cpuSeconds();
    await super.setup();
  }

  async teardown() {
    keepCompiled();
    await super.teardown();
    disableStorages();
    const noted = process.env.VIGIL_TEST_COSTS;
    if (noted) appendFileSync(noted, `${JSON.stringify([this.file, cpuSeconds() - this.before])}\n`);
  }
};

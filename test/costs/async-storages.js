const { AsyncLocalStorage } = require('node:async_hooks');

/**
 * Jest makes an AsyncLocalStorage for each file of tests, and never disables it. Before Node 24 each that was ever used is asked at every
 * promise that is made: after a hundred files in one process a promise cost several times as much.
 */
const used = new Set();

for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function noted(...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

/** To be called when nobody needs them any more: at the end of a file. */
function disableStorages() {
  for (const storage of used) storage.disable();
  used.clear();
}

module.exports = { disableStorages };

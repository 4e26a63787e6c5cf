/**
 * Loaded by `node test/costs/busy.js --delay MS` into the tests and the local clouds: delays each of their HTTP requests by up to so many
 * milliseconds. Functions are not delayed, because their threads have an environment of their own.
 */
const { ClientRequest } = require('node:http');

const { end } = ClientRequest.prototype;
ClientRequest.prototype.end = function (...args) {
  setTimeout(() => end.apply(this, args), Math.random() * Number(process.env.VIGIL_TEST_DELAY));
  return this;
};

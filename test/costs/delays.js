/** Loaded by `npm run test:busy -- --delay MS` into every process and thread: delays each HTTP request by up to so many milliseconds. */
const { ClientRequest } = require('node:http');

const { end } = ClientRequest.prototype;
ClientRequest.prototype.end = function (...args) {
  setTimeout(() => end.apply(this, args), Math.random() * Number(process.env.VIGIL_TEST_DELAY));
  return this;
};

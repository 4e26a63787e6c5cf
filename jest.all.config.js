// `npm run test:all`: with the tests and the cases that `npm test` leaves out.
process.env.VIGIL_LONG_TESTS = '1';
module.exports = require('./jest.config');

import fc from 'fast-check';
import { endOf } from './browserless';

const asked = 'https://kyoto.example/';
/** As HTTP allows a header: visible ASCII. */
const header = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});

test('whatever Browserless says of where it ended, it is an http address, or the model is told (R189)', () => {
  const parts = { 'x-response-url': header, 'x-response-ip': header, 'x-response-code': header };
  fc.assert(
    fc.property(fc.record(parts, { requiredKeys: [] }), (headers) => {
      try {
        expect(new URL(endOf(new Headers(headers), asked)).protocol).toMatch(/^https?:$/);
      } catch (error) {
        expect((error as Error).name).toBe('TellModel');
      }
    }),
  );
});

test.each([
  [{ 'x-response-url': 'not an address' }, /redirects elsewhere/],
  [{ 'x-response-code': 'OK' }, /^The page answered with an error\.$/],
  [{ 'x-response-code': '1e2' }, /with an error/],
  [{ 'x-response-code': '503' }, /with status 503/],
])('%j is told to the model (R189)', (headers, message) => {
  expect(() => endOf(new Headers(headers), asked)).toThrow(
    expect.objectContaining({ name: 'TellModel', message: expect.stringMatching(message) }),
  );
});

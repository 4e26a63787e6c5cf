import { addressOf, headersIn } from './otlp';

// How a backend is asked, and what is made of its answers: `lambdas/telemetry.test.ts`.

test('the address of a backend may have the path of traces, or not (R239)', () => {
  for (const endpoint of [
    'https://o.example.com/otel',
    'https://o.example.com/otel/',
    'https://o.example.com/otel/v1/traces',
  ])
    expect(addressOf(endpoint)).toBe('https://o.example.com/otel/v1/traces');
});

test('headers are pairs in percent-encoding (R239)', () => {
  expect(headersIn('authorization=Basic%20a%3D%3D, X-Scope = a%2Cb ,')).toEqual({
    authorization: 'Basic a==',
    'x-scope': 'a,b',
  });
  expect(headersIn(undefined)).toEqual({});
  for (const wrong of ['secret', '=secret', 'a=%E0%A4%A', 'a=%0d%0ab', 'a b=c'])
    expect(() => headersIn(wrong)).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: write name=value pairs/);
});

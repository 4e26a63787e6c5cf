import { routeTable } from './routes';

const find = routeTable(
  [
    '$default',
    'ANY /{proxy+}',
    'GET /things',
    'ANY /things/{id}',
    'GET /things/{id}',
    'GET /things/{id}/parts/{proxy+}',
    'GET /things/new',
  ].map((routeKey) => ({ routeKey })),
);

test.each([
  ['GET', '/things', 'GET /things', {}],
  ['GET', '/things/', 'GET /things', {}],
  ['GET', '/things/new', 'GET /things/new', {}],
  ['GET', '/things/a%20b', 'GET /things/{id}', { id: 'a b' }],
  ['PUT', '/things/7', 'ANY /things/{id}', { id: '7' }],
  ['GET', '/things/7/parts/x/y', 'GET /things/{id}/parts/{proxy+}', { id: '7', proxy: 'x/y' }],
  ['GET', '/elsewhere/x', 'ANY /{proxy+}', { proxy: 'elsewhere/x' }],
  ['GET', '/', '$default', {}],
])('%s %s goes to %s', (method, path, routeKey, parameters) => {
  expect(find(method, path)).toEqual({ route: { routeKey }, parameters });
});

test('without $default, a path without a route finds nothing', () => {
  expect(routeTable([{ routeKey: 'GET /a' }])('GET', '/b')).toBeUndefined();
});

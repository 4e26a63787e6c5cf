import type { LocalCloud } from '../cloud';
import { welcome } from './welcome';

const cloud = (unset: LocalCloud['unset'] = []) =>
  ({
    url: 'http://127.0.0.1:3000',
    awsUrl: 'http://127.0.0.1:4566',
    unset,
    clock: { offset: () => 0, now: () => 0 },
    resources: { list: () => [] },
  }) as unknown as LocalCloud;
const options = {
  model: 'small',
  stateDirectory: '.vigil',
  watch: true,
  command: 'npm start --',
  seconds: 1,
  example: { agent: 'chaser', text: 'Hello' },
};

test('the screen lists what is unset, with the tools that want it (R247)', () => {
  const needs = [
    { name: 'INVOICES_API_KEY', kind: 'secret' as const, tools: ['chase', 'list_invoices'], optionalFor: [] },
    { name: 'MAIL_URL', kind: 'variable' as const, tools: ['mail'], optionalFor: ['chase'] },
  ];
  expect(welcome({ ...options, cloud: cloud(needs) })).toContain(
    `
  Not set       INVOICES_API_KEY: without it, chase, list_invoices fail
  Not set       MAIL_URL: without it, mail fails

Open the page`,
  );
  expect(welcome({ ...options, cloud: cloud() })).not.toContain('Not set');
});

test('the search is named only if there is one (R247)', () => {
  expect(welcome({ ...options, cloud: cloud() })).not.toContain('Search');
  expect(welcome({ ...options, cloud: cloud(), search: 'stand-in search' })).toContain(
    '\n  Search        stand-in search\n  Runs ',
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ClientMessage,
  pingSeconds,
  protocolVersion,
  ServerMessage,
  Ticket,
  ticketSeconds,
} from '../../core/live/live';
import * as client from './protocol';

const page = readFileSync(join(__dirname, '../../docs/live-protocol.md'), 'utf8');
const examples = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text]) => JSON.parse(text!) as object);

test('each example of the protocol’s page is a message, and each message has an example (R177)', () => {
  for (const example of examples) {
    const schema = 'action' in example ? ClientMessage : 'type' in example ? ServerMessage : Ticket;
    expect(schema.parse(example)).toEqual(example);
  }
  for (const { options } of [ClientMessage, ServerMessage])
    for (const option of options)
      expect(examples.filter((example) => option.safeParse(example).success)).not.toEqual([]);
});

test('the page and the client have the protocol’s version and times (R177)', () => {
  expect(page).toContain(`This is version ${protocolVersion}.`);
  expect(page).toContain(`ping every ${pingSeconds} seconds`);
  expect(page).toContain(`valid once, for ${ticketSeconds} seconds`);
  expect(client).toMatchObject({ pingSeconds, protocolVersion });
});

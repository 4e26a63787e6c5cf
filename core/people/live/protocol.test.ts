import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as client from 'vigil-client';
import { pingSeconds as clientPingSeconds } from 'vigil-client/shared';
import { ClientMessage, pingSeconds, protocolVersion, ServerMessage, Ticket, ticketSeconds } from './live';

const page = readFileSync(join(__dirname, '../../../docs/live-protocol.md'), 'utf8');
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
  expect({ pingSeconds: clientPingSeconds, protocolVersion: client.protocolVersion }).toEqual({
    pingSeconds,
    protocolVersion,
  });
});

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'A is less') : 'B is less';

test('the client’s types of the protocol are those of its schemas (R177)', () => {
  // The compiler checks it.
  const messages: Same<client.ServerMessage, ServerMessage> = true;
  const requests: Same<client.ClientMessage, ClientMessage> = true;
  expect([messages, requests]).toEqual([true, true]);
});

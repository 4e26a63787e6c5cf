import { mcp } from '../../../core/conversations/mcp/server';
import { serveMcp } from '../../../runtime/mcp/serve-mcp';
import pin from './station.mcp.json';

/** A server that speaks the current revision only, whose tool has an effect before it asks. */
export const station = mcp('station', {
  url: { variable: 'STATION_URL' },
  pin,
  allow: { 'book-seat': { effect: 'idempotent', elicitation: 'ask', afterUntrusted: () => 'allow' } },
});

export const handler = serveMcp(station);

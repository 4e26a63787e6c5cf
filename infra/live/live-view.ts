import { Construct } from 'constructs';
import type { ConversationTable } from '../functions/conversation-table';
import { VigilFunction } from '../functions/vigil-function';
import { StreamReader } from '../machines/stream-reader';
import type { Undelivered } from '../machines/undelivered';
import type { Settings } from '../settings';
import type { Events } from './events';
import { LiveSocket } from './live-socket';
import { LiveTable } from './live-table';

export interface LiveViewProps {
  bundles: string;
  table: ConversationTable;
  events: Events;
  settings: Settings;
  undelivered: Undelivered;
}

/** What a page may show, by the beginning of its key; Broadcast is not woken for anything else. */
const shownRows = ['M#', 'CALL#', 'CALLBACK#', 'TIMER#'];

/** Pushes the conversation table's changes to the pages that look on, and publishes what is finished. */
export class LiveView extends Construct {
  private readonly live: LiveTable;
  private readonly socket: LiveSocket;

  constructor(scope: Construct, id: string, { bundles, table, events, settings, undelivered }: LiveViewProps) {
    super(scope, id);
    this.live = new LiveTable(this, 'Table');
    const environment: Record<string, string> = { LIVE_TABLE_NAME: this.live.name };
    const fn = (name: string, description: string, more: Record<string, string> = {}) =>
      new VigilFunction(this, name, { description, bundles, environment: { ...environment, ...more } });

    const connect = fn('Connect', 'Opens a connection of the live view for the holder of a ticket');
    const disconnect = fn('Disconnect', 'Forgets a connection of the live view');
    const subscribe = fn('Subscribe', 'Serves what clients of the live view say', { TABLE_NAME: table.name });
    this.socket = new LiveSocket(this, 'Socket', { connect, disconnect, message: subscribe });
    const broadcast = fn('Broadcast', 'Pushes changed rows to who looks on, and publishes what is finished', {
      LIVE_CONNECTIONS_URL: this.socket.connectionsUrl,
      EVENT_BUS_NAME: events.busName,
      VIGIL_EVENTS_CONTENT: settings.given('VIGIL_EVENTS_CONTENT'),
    });

    this.live.grant(connect, 'PutItem', 'DeleteItem');
    this.live.grant(disconnect, 'DeleteItem');
    this.live.grant(subscribe, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem');
    table.grant(subscribe, 'GetItem');
    this.live.grant(broadcast, 'Query', 'DeleteItem');
    this.socket.grantPush(broadcast);
    events.grantPublish(broadcast);
    new StreamReader(this, 'Stream', {
      table,
      reader: broadcast,
      undelivered,
      filter: {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { sk: { S: ['META', ...shownRows.map((prefix) => ({ prefix }))] } } },
      },
    });
  }

  /** Where pages connect. */
  get url(): string {
    return this.socket.url;
  }

  /** For the function that issues tickets. */
  get variables(): Record<string, string> {
    return { LIVE_TABLE_NAME: this.live.name, LIVE_URL: this.socket.url };
  }

  grantTickets(fn: VigilFunction): void {
    this.live.grant(fn, 'PutItem');
  }
}

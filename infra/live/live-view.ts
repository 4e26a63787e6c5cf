import { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type ConversationTable, partition } from '../functions/conversation-table';
import { VigilFunction } from '../functions/vigil-function';
import { StreamReader } from '../machines/stream-reader';
import type { Undelivered } from '../machines/undelivered';
import type { Events } from './events';
import { LiveSocket } from './live-socket';
import { LiveTable } from './live-table';

/** The sort key of a row, or its beginning. */
export type SortKey = string | { prefix: string };

export interface LiveViewProps {
  bundles: string;
  table: ConversationTable;
  events: Events;
  undelivered: Undelivered;
  /** The other rows that modules hear of: their sort keys, or prefixes of them. */
  hears: readonly SortKey[];
}

/** The rows that a page may show. Broadcast is invoked for these, and for those that modules hear of. */
const shownRows: SortKey[] = [
  'META',
  ...['M#', 'PIECE#', 'CALL#', 'CALLBACK#', 'TIMER#', 'READ#'].map((prefix) => ({ prefix })),
];

/** Pushes changes of the conversation table to subscribed pages, and publishes finished work. */
export class LiveView extends Construct {
  readonly broadcast: VigilFunction;
  private readonly live: LiveTable;
  private readonly socket: LiveSocket;

  constructor(scope: Construct, id: string, props: LiveViewProps) {
    super(scope, id);
    const { bundles, table, events, undelivered, hears } = props;
    this.live = new LiveTable(this, 'Table');
    const environment: Record<string, string> = { LIVE_TABLE_NAME: this.live.name };
    const fn = (name: string, description: string, more: Record<string, string> = {}) =>
      new VigilFunction(this, name, { description, bundles, environment: { ...environment, ...more } });

    const ofClients = fn(
      'Connections',
      'Opens and closes connections of the live view, and answers the messages of its clients',
      {
        TABLE_NAME: table.name,
      },
    );
    this.socket = new LiveSocket(this, 'Socket', ofClients);
    const broadcast = fn(
      'Broadcast',
      'Pushes changed rows to subscribers, publishes finished work, and tells modules what has changed',
      {
        TABLE_NAME: table.name,
        STACK_NAME: Stack.of(this).stackName,
        LIVE_CONNECTIONS_URL: this.socket.connectionsUrl,
        EVENT_BUS_NAME: events.busName,
      },
    );

    this.broadcast = broadcast;
    this.live.grant(ofClients, 'GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem');
    // Who may read a conversation is asked whenever something of it is sent.
    for (const one of [ofClients, broadcast]) table.grant(one, [partition.conversations], 'GetItem');
    this.live.grant(broadcast, 'GetItem', 'Query', 'DeleteItem', 'UpdateItem');
    this.socket.grant(broadcast, 'POST', 'DELETE');
    // It tells the others who is here.
    ofClients.addEnvironment('LIVE_CONNECTIONS_URL', this.socket.connectionsUrl);
    this.socket.grant(ofClients, 'POST', 'DELETE');
    events.grantPublish(broadcast);
    new StreamReader(this, 'Stream', {
      table,
      reader: broadcast,
      undelivered,
      filter: {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: {
          Keys: { sk: { S: [...shownRows, ...hears] } },
        },
      },
    });
  }

  /** The address that pages connect to. */
  get url(): string {
    return this.socket.url;
  }

  /** For the function that issues tickets. */
  get variables(): Record<string, string> {
    return { LIVE_TABLE_NAME: this.live.name, LIVE_URL: this.socket.url };
  }

  /** Lets a function send the words of replies to those who watch. */
  sendTokens(fn: VigilFunction): void {
    fn.addEnvironment('LIVE_TABLE_NAME', this.live.name);
    fn.addEnvironment('LIVE_CONNECTIONS_URL', this.socket.connectionsUrl);
    this.live.grant(fn, 'Query');
    this.socket.grant(fn, 'POST');
  }

  /**
   * Has Broadcast tell a module's function what has finished. The function records in the live view's table what it has sent.
   *
   * @param variable the environment variable in which the module's listener finds the function.
   */
  tell(fn: VigilFunction, variable: string): void {
    this.broadcast.addEnvironment(variable, fn.functionArn);
    this.broadcast.allow([fn.functionArn], 'lambda:InvokeFunction');
    fn.addEnvironment('LIVE_TABLE_NAME', this.live.name);
    this.live.grant(fn, 'GetItem', 'PutItem');
  }

  /** Lets a module's function find out who looks at what. */
  grantRead(fn: VigilFunction): void {
    fn.addEnvironment('LIVE_TABLE_NAME', this.live.name);
    this.live.grant(fn, 'Query');
  }

  grantTickets(fn: VigilFunction): void {
    this.live.grant(fn, 'GetItem', 'PutItem');
  }
}

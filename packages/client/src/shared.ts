/**
 * The entry `vigil-client/shared`: what Vigil's server and its page share with the client. It may change in any version.
 */
export { askedMs, newPauses, type Pauses, pause, untilAnswered } from './again';
export type * from './api-types';
export { type List, lateMs, mergeList, placeOf, type ReadPage, withoutDeleted } from './feeds/list';
export { type HeldList, type ReadsList, readsList } from './feeds/read-list';
export { secondLook } from './feeds/second-look';
export { untilFresh } from './feeds/until-fresh';
export { openHttp } from './http';
export {
  type ConversationHead,
  type LiveRow,
  type PieceRow,
  type PushedRow,
  pingSeconds,
} from './live/protocol';
export {
  amendable,
  conversationOf,
  isBehind,
  type LiveState,
  mergeRows,
  nothingKnown,
  rowsOf,
  textOfPieces,
} from './live/rows';
export { problemIn, problemOf, wordsOf } from './problem';
export { retryAfter, secondsLater } from './retry-after';
export { type ServerClock, serverClock } from './server-clock';

/**
 * The entry `vigil-client/shared`: what Vigil's server and its page share with the client. It may change in any version.
 */
export { askedMs, newPauses, type Pauses, pause, untilAnswered } from './again';
export type * from './api-types';
export { asksFor, isForPeople } from './decisions/asks-for';
export { type Decider, decidersNow, mayDecide, type Reader, type TokenUser } from './decisions/deciders';
export { type Decided, decisionLines, oneLine, reasonOf, seen, sourceWords } from './decisions/decision';
export { type ArgumentSchema, changedFields, fieldsOf, lineOf } from './decisions/fields';
export { decimalsOf, digitsOf } from './decisions/money';
export { drawn, named, quoted, unseen } from './decisions/quoted';
export { type DrawnPart, drawnSentence, namesIn, sentenceOf, sentenceText } from './decisions/sentence';
export { type AgUiEvent, agUiEvents, agUiMessages, replaces } from './dialects/ag-ui';
export { aiSdkChunks, type Chunk } from './dialects/ai-sdk';
export { filesIn } from './dialects/files';
export { beginsTurn, isReply, type Move, movesSince, type Seen } from './dialects/moves';
export { isDone, type Pace, paceOf } from './dialects/pace';
export {
  beginningAt,
  digest,
  digestLength,
  longestPosition,
  type Place,
  placeIn,
  positionText,
  type RowsPlace,
  rowsPlaceIn,
} from './dialects/position';
export { exportName } from './export/export-name';
export { conversationMarkdown } from './export/markdown';
export { wholeConversation } from './export/whole-conversation';
export { type AnsweredCallback, seenAnswer } from './feeds/approvals';
export { type List, mergeList, placeOf, rootOf } from './feeds/list';
export { isShared, nobody, type PeopleState } from './feeds/people';
export { untilFresh } from './feeds/until-fresh';
export { bytesWords } from './files/bytes-words';
export { jpegFacts } from './files/jpeg-facts';
export { officeTypes } from './files/media-type';
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
  mergeDelta,
  mergeRows,
  nothingKnown,
  rowsOf,
  textOfPieces,
} from './live/rows';
export { problemIn, problemOf, wordsOf } from './problem';
export { retryAfter, secondsLater } from './retry-after';
export { type ServerClock, serverClock } from './server-clock';
export { isOver, isSettled } from './status';

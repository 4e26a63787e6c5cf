/** The entry `vigil-stepfunctions/shared`: what another service on the same machine needs too. It loads no engine. @packageDocumentation */
export { type MovedClock, movedClock } from './clock/moved-clock';
export { lockFolder, ownerOf } from './folder-lock';
export { freePort } from './free-port';
export { type Headers, isFromProgram, loopbackName, namesThisMachine } from './from-program';
export { matchesParts } from './language/wildcards';

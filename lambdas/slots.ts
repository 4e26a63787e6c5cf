/** For the one handler that reckons with cron expressions: by this way no bundle that only knows its definition carries the library. */
export { checkRule, nextSlot } from '../core/state/schedule';

/** Times and states as people read them. All times are UTC: that is what the agents go by. */

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** @param {number} ms @param {boolean} seconds */
export const clockTime = (ms, seconds = false) => new Date(ms).toISOString().slice(11, seconds ? 19 : 16);

/** "Sat 21 Nov 2026 08:00:12 UTC" @param {number} ms */
export const fullTime = (ms) => `${dayAndYear.format(ms).replace(',', '')} ${clockTime(ms, true)} UTC`;

/** "Sat 21 Nov, 08:00 UTC", without the day if it is today's. @param {string} iso @param {number} now */
export function moment(iso, now) {
  const ms = Date.parse(iso);
  const time = `${clockTime(ms)} UTC`;
  if (iso.slice(0, 10) === new Date(now).toISOString().slice(0, 10)) return time;
  const sameYear = new Date(ms).getUTCFullYear() === new Date(now).getUTCFullYear();
  return `${(sameYear ? day : dayAndYear).format(ms).replace(',', '')}, ${time}`;
}

/** "20 h", "3 days", "4 min" @param {number} ms */
export function span(ms) {
  const units = /** @type {const} */ ([
    ['day', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ]);
  const [name, size] = units.find(([, size], index) => ms >= size * (index === 0 ? 2 : 1)) ?? ['s', 1_000];
  const count = Math.round(ms / size);
  return name === 'day' ? `${count} days` : `${count} ${name}`;
}

/** What a conversation is about now, in a few words. @param {{status: string, until?: string}} run @param {number} now */
export function stateOf({ status, until }, now) {
  if (status === 'sleeping' && until) {
    const left = Date.parse(until) - now;
    return left > 0 ? `asleep until ${moment(until, now)} · in ${span(left)}` : 'waking up…';
  }
  return states[status] ?? status;
}

/** @type {Record<string, string>} */
const states = {
  idle: '',
  running: 'running…',
  sleeping: 'asleep',
  waiting: 'waiting for you',
  done: 'done',
  failed: 'failed',
  limited: 'stopped at its limit',
  cancelling: 'stopping…',
  cancelled: 'cancelled',
};

/** What became of a tool call. @param {import('./api.js').Call} call @param {number} now */
export function callState({ status, attempts, until, startedAt, completedAt }, now) {
  const took = startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : 0;
  switch (status) {
    case 'queued':
      return 'queued';
    case 'running':
      return attempts > 1 ? `running · attempt ${attempts}` : 'running…';
    case 'waiting':
      return until ? `waiting until ${moment(until, now)}` : 'waiting';
    case 'completed':
      return took >= 1_000 ? `done · ${span(took)}` : 'done';
    case 'failed':
      return 'failed · the model was told';
    case 'unknown':
      return 'outcome unknown · the model was told';
    default:
      return status;
  }
}

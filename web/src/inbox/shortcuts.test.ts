import { actionOf, shortcuts } from './shortcuts';

const none = {
  keyCode: 0,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isComposing: false,
  repeat: false,
  defaultPrevented: false,
};

describe('the keys of what waits (R253)', () => {
  test('are those of the table, each once', () => {
    const keys = Object.values(shortcuts).flatMap((one) => one.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const [action, one] of Object.entries(shortcuts))
      for (const key of one.keys) expect(actionOf({ ...none, key })).toBe(action);
    expect(actionOf({ ...none, key: 'z' })).toBeUndefined();
  });

  test('do nothing with a modifier', () => {
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey'])
      for (const key of ['a', 'A', 'j', 'Enter', 'Escape'])
        expect([modifier, key, actionOf({ ...none, key, [modifier]: true })]).toEqual([modifier, key, undefined]);
    // With the lock of the capitals.
    expect(actionOf({ ...none, key: 'A' })).toBe('approve');
  });

  test('decide once, however long a key is held, and not where another has taken it', () => {
    expect(actionOf({ ...none, key: 'Escape', defaultPrevented: true })).toBeUndefined();
    for (const key of ['a', 'd', 'x', 'Enter']) expect(actionOf({ ...none, key, repeat: true })).toBeUndefined();
    expect(actionOf({ ...none, key: 'j', repeat: true })).toBe('next');
  });
});

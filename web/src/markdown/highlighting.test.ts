import { toHighlight, withoutFence } from './highlighting';

const line = 'const one = 1;\n';

test('code is highlighted once; growing code without its last line, and again when it is a third longer (R158)', () => {
  expect(toHighlight(line, undefined, false)).toBe(line);
  expect(toHighlight(line, line, false)).toBeUndefined();
  expect(toHighlight(`${line}const tw`, undefined, true)).toBe(line.trimEnd());
  expect(toHighlight('const on', undefined, true)).toBeUndefined();
  const ten = line.repeat(10);
  expect(toHighlight(ten + line, ten, true)).toBeUndefined();
  expect(toHighlight(ten + line.repeat(4), ten, true)).toBe((ten + line.repeat(4)).trimEnd());
  expect(toHighlight(ten + line, ten, false)).toBe(ten + line);
});

test('code whose fence has just been closed keeps its colours (R158)', () => {
  const done = toHighlight(`${line}x`, undefined, true)!;
  expect(line.trimEnd().startsWith(done)).toBe(true);
  expect(toHighlight(line.trimEnd(), done, false)).toBeUndefined();
});

test.each([
  [`${line}\``, line.trimEnd()],
  [`${line}  \`\`\` `, line.trimEnd()],
  [`${line}~~`, line.trimEnd()],
  ['``', ''],
  [`${line}\`x`, `${line}\`x`],
  [`${line}a = \`\``, `${line}a = \`\``],
  [`${line}    \`\``, `${line}    \`\``],
  ['a\n``\nb', 'a\n``\nb'],
])('a last line that may become the end of growing code is not drawn: %j (R158)', (code, drawn) => {
  expect(withoutFence(code)).toBe(drawn);
});

test('all highlighting of growing code costs a few times the last one (R158)', () => {
  let done: string | undefined;
  let characters = 0;
  for (let lines = 1; lines <= 2_000; lines++) {
    const now = toHighlight(line.repeat(lines), done, true);
    if (now === undefined) continue;
    characters += now.length;
    done = now;
  }
  expect(characters).toBeLessThan(line.length * 2_000 * 5);
});

test('other code is highlighted from its beginning, and very long code stays plain (R158)', () => {
  expect(toHighlight('other\n', line, true)).toBe('other');
  expect(toHighlight('x'.repeat(50_001), undefined, false)).toBeUndefined();
});

import { isObject, type JsonObject } from '../language/json';
import type { Report } from './validate';
import { assignedBy } from './validate-assign';

/**
 * "State names must be unique within the scope of the whole state machine", and so must labels. An inner scope assigns no
 * variable that an outer one assigns.
 */
export function checkNames(report: Report, definition: JsonObject): void {
  const seen = new Set<string>();
  const labels = new Set<string>();
  const visit = (block: JsonObject, at: string, outer: ReadonlySet<string>) => {
    const states = Object.entries(block.States as Record<string, JsonObject>);
    for (const [name, state] of states) {
      const path = `${at}/States/${name}`;
      if (seen.has(name)) report(`Duplicate state name: ${name}`, path, 'DUPLICATE_STATE_NAME');
      seen.add(name);
      const { Label } = state;
      if (typeof Label === 'string' && labels.has(Label))
        report(`Duplicate label name: ${Label}`, `${path}/Label`, 'DUPLICATE_LABEL_NAME');
      if (typeof Label === 'string') labels.add(Label);
      for (const variable of assignedBy(state))
        if (outer.has(variable)) report(`The variable '${variable}' is also assigned in an outer scope`, path);
      const blocks = innerBlocks(state);
      if (blocks.length === 0) continue;
      // What a container's own catchers assign comes when its inner scopes have gone.
      const around = states.flatMap(([other, each]) => assignedBy(other === name ? { ...each, Catch: null } : each));
      for (const inner of blocks) visit(inner, path, new Set([...outer, ...around]));
    }
  };
  visit(definition, '', new Set());
}

function innerBlocks(state: JsonObject): JsonObject[] {
  return [state.ItemProcessor, state.Iterator, ...(Array.isArray(state.Branches) ? state.Branches : [])].filter(
    (each): each is JsonObject => isObject(each) && isObject(each.States),
  );
}

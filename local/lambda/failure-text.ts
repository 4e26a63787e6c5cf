interface Failure {
  level?: string;
  message?: string;
  agent?: string;
  tool?: string;
  model?: string;
  undo?: boolean;
  conversationId?: string;
  attempt?: number;
  attemptsAtMost?: number;
  retried?: boolean;
  error?: string;
  reason?: string;
  frames?: string;
}

/**
 * Returns the failures in a function's output, for people: a line each, followed by its stack. Functions log one JSON
 * object per line. Other output stays in the function's log.
 */
export function failuresIn(functionName: string, printed: string): string[] {
  return printed.split('\n').flatMap((line) => {
    const failure = line.startsWith('{"level":') ? parsed(line) : undefined;
    const isShown = failure?.level === 'ERROR' || (failure?.level === 'WARN' && failure.message === 'failed');
    return failure && isShown ? [textOf(functionName, failure)] : [];
  });
}

function parsed(line: string): Failure | undefined {
  try {
    return JSON.parse(line) as Failure;
  } catch {
    return undefined;
  }
}

function textOf(functionName: string, failure: Failure): string {
  const { agent, tool, model, undo, message, conversationId, attempt, attemptsAtMost, retried } = failure;
  const { error, reason, frames } = failure;
  const what = tool ?? (model ? `model ${model}` : functionName);
  const head = `${agent ? `${agent} · ` : ''}${what}${undo ? ' (undo)' : ''}: ${message}${retried === false ? ', not retried' : ''}`;
  const which = attempt && `attempt ${attempt}${attemptsAtMost ? ` of ${attemptsAtMost}` : ''}`;
  const where = [which, conversationId && `conversation ${conversationId}`].filter(Boolean).join(', ');
  const why = [error, reason ?? (error && 'message omitted, because it may quote the conversation')];
  const line = [`${head}${where && ` (${where})`}`, ...why].filter(Boolean).join(': ');
  return [line, ...(frames ? frames.split('\n') : []).map((frame) => `    at ${frame}`)].join('\n');
}

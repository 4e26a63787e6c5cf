/** The extension by which a server answers a call with a task instead of a result. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

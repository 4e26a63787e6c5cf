import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Returns the command line of a process, or '' if there is no such process or it has ended. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ');
  }
  return process.platform === 'win32'
    ? output('powershell.exe', [
        '-NoProfile',
        '-Command',
        `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`,
      ])
    : // Without -ww, macOS truncates the line at 79 characters if there is no terminal.
      output('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
}

/** Returns '' if the program cannot be run. */
function output(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(text.trim()));
  });
}

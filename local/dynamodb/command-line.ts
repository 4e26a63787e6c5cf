import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The command line of a process; empty when there is no such process, or when it has ended and its parent has not noticed. */
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
    : // Without -ww, macOS cuts the line at 79 characters when no terminal is there.
      output('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
}

/** Empty when the program cannot be run. */
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

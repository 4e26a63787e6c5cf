/** The words of notifications, in the languages of the page. Whatever conversations, agents and tools say stays as it is. */
export interface NoticeWords {
  reminder: Said;
  approval: Said<{ agent: string; tool: string }>;
  question: Said<{ agent: string }>;
  limit: Said<{ agent: string }>;
  failure: Said<{ agent: string }>;
  answer: Said<{ agent: string }>;
  mention: Said;
  person: Said<{ agent: string }>;
  allowed: Said<{ agent: string; tool: string }>;
  used(uses: number, calls: number): string;
  newDevice: Said;
  removed: Said;
  quotes: Said;
  /** What to do about each of the last three. */
  notYou: string;
  /** What somebody else may do for the user from now on, and what to do about it. */
  mayNow: string;
  granted: Record<'standIn' | 'standing' | 'member' | 'link', string>;
  notYouMay: string;
  asks(agent: string, question: string): string;
  approve: string;
  deny: string;
  whyMail: string;
}

type Said<Of = undefined> = { title: string; body: Of extends undefined ? string : (of: Of) => string };

const en: NoticeWords = {
  reminder: { title: 'Reminder', body: 'A reminder of yours is due.' },
  approval: {
    title: 'Approval needed',
    body: ({ agent, tool }) => `The ${agent} agent waits for your approval of ${tool}.`,
  },
  question: { title: 'Question', body: ({ agent }) => `The ${agent} agent waits for your answer.` },
  limit: { title: 'Stopped', body: ({ agent }) => `The ${agent} agent has reached a limit.` },
  failure: { title: 'Failed', body: ({ agent }) => `The ${agent} agent could not finish.` },
  answer: { title: 'Answer', body: ({ agent }) => `The ${agent} agent has answered.` },
  mention: { title: 'Message for you', body: 'Somebody has written to you in a conversation.' },
  person: {
    title: 'Conversation for you',
    body: ({ agent }) => `You are asked to take a conversation of the ${agent} agent over.`,
  },
  allowed: { title: 'Not asked', body: ({ agent, tool }) => `The ${agent} agent calls ${tool}, as you have allowed.` },
  used: (uses, calls) => `${uses} of ${calls} calls are used.`,
  newDevice: { title: 'New device', body: 'Another browser gets your notifications from now on.' },
  removed: { title: 'Notifications turned off', body: 'A browser or your mail gets no more of them.' },
  quotes: {
    title: 'Notifications quote conversations',
    body: 'Your notifications have words of your conversations from now on.',
  },
  notYou: 'If this was not you, open Notifications and end all of them.',
  mayNow: 'Somebody may do more for you',
  granted: {
    standIn: 'Another person decides in your place from now on.',
    standing: 'An agent makes some calls without asking you from now on.',
    member: 'Somebody was added or invited to a conversation of yours.',
    link: 'A link to a conversation of yours was made.',
  },
  notYouMay: 'If this was not you, open “Who may do what for me” and end all of it.',
  asks: (agent, question) => `${agent} asks: ${question}`,
  approve: 'Approve',
  deny: 'Deny',
  whyMail: 'You get this because your settings ask for e-mail.',
};

const de: NoticeWords = {
  reminder: { title: 'Erinnerung', body: 'Eine Ihrer Erinnerungen ist fällig.' },
  approval: {
    title: 'Genehmigung nötig',
    body: ({ agent, tool }) => `Der Agent ${agent} wartet auf Ihre Genehmigung von ${tool}.`,
  },
  question: { title: 'Frage', body: ({ agent }) => `Der Agent ${agent} wartet auf Ihre Antwort.` },
  limit: { title: 'Gestoppt', body: ({ agent }) => `Der Agent ${agent} hat ein Limit erreicht.` },
  failure: { title: 'Fehlgeschlagen', body: ({ agent }) => `Der Agent ${agent} konnte nicht fertig werden.` },
  answer: { title: 'Antwort', body: ({ agent }) => `Der Agent ${agent} hat geantwortet.` },
  mention: { title: 'Nachricht für Sie', body: 'Jemand hat Ihnen in einer Unterhaltung geschrieben.' },
  person: {
    title: 'Unterhaltung für Sie',
    body: ({ agent }) => `Sie sollen eine Unterhaltung des Agenten ${agent} übernehmen.`,
  },
  allowed: {
    title: 'Ohne Rückfrage',
    body: ({ agent, tool }) => `Der Agent ${agent} ruft ${tool} auf, wie Sie es erlaubt haben.`,
  },
  used: (uses, calls) => `${uses} von ${calls} Aufrufen sind verbraucht.`,
  newDevice: { title: 'Neues Gerät', body: 'Ein weiterer Browser erhält ab jetzt Ihre Benachrichtigungen.' },
  removed: { title: 'Benachrichtigungen beendet', body: 'Ein Browser oder Ihre E-Mail-Adresse erhält keine mehr.' },
  quotes: {
    title: 'Benachrichtigungen zitieren Unterhaltungen',
    body: 'Ihre Benachrichtigungen enthalten ab jetzt Worte aus Ihren Unterhaltungen.',
  },
  notYou: 'Wenn Sie das nicht waren, öffnen Sie „Benachrichtigungen“ und beenden Sie alle.',
  mayNow: 'Jemand darf mehr für Sie',
  granted: {
    standIn: 'Ab jetzt entscheidet eine andere Person an Ihrer Stelle.',
    standing: 'Ein Agent macht ab jetzt manche Aufrufe, ohne Sie zu fragen.',
    member: 'Jemand wurde zu einer Ihrer Unterhaltungen hinzugefügt oder eingeladen.',
    link: 'Ein Link zu einer Ihrer Unterhaltungen wurde erstellt.',
  },
  notYouMay: 'Wenn Sie das nicht waren, öffnen Sie „Wer was für mich darf“ und beenden Sie alles.',
  asks: (agent, question) => `${agent} fragt: ${question}`,
  approve: 'Genehmigen',
  deny: 'Ablehnen',
  whyMail: 'Sie erhalten diese E-Mail, weil Ihre Einstellungen es so vorsehen.',
};

const es: NoticeWords = {
  reminder: { title: 'Recordatorio', body: 'Ha llegado uno de tus recordatorios.' },
  approval: {
    title: 'Aprobación necesaria',
    body: ({ agent, tool }) => `El agente ${agent} espera tu aprobación de ${tool}.`,
  },
  question: { title: 'Pregunta', body: ({ agent }) => `El agente ${agent} espera tu respuesta.` },
  limit: { title: 'Detenido', body: ({ agent }) => `El agente ${agent} ha alcanzado un límite.` },
  failure: { title: 'Fallido', body: ({ agent }) => `El agente ${agent} no ha podido terminar.` },
  answer: { title: 'Respuesta', body: ({ agent }) => `El agente ${agent} ha respondido.` },
  mention: { title: 'Mensaje para ti', body: 'Alguien te ha escrito en una conversación.' },
  person: {
    title: 'Conversación para ti',
    body: ({ agent }) => `Te piden que te hagas cargo de una conversación del agente ${agent}.`,
  },
  allowed: {
    title: 'Sin preguntar',
    body: ({ agent, tool }) => `El agente ${agent} llama a ${tool}, como has permitido.`,
  },
  used: (uses, calls) => `Se han usado ${uses} de ${calls} llamadas.`,
  newDevice: { title: 'Nuevo dispositivo', body: 'Otro navegador recibe desde ahora tus notificaciones.' },
  removed: { title: 'Notificaciones desactivadas', body: 'Un navegador o tu correo ya no las recibe.' },
  quotes: {
    title: 'Las notificaciones citan conversaciones',
    body: 'Tus notificaciones contienen desde ahora palabras de tus conversaciones.',
  },
  notYou: 'Si no has sido tú, abre «Notificaciones» y finalízalas todas.',
  mayNow: 'Alguien puede hacer más por ti',
  granted: {
    standIn: 'Otra persona decide en tu lugar desde ahora.',
    standing: 'Un agente hace algunas llamadas sin preguntarte desde ahora.',
    member: 'Se ha añadido o invitado a alguien a una conversación tuya.',
    link: 'Se ha creado un enlace a una conversación tuya.',
  },
  notYouMay: 'Si no has sido tú, abre «Quién puede hacer qué por mí» y finalízalo todo.',
  asks: (agent, question) => `${agent} pregunta: ${question}`,
  approve: 'Aprobar',
  deny: 'Rechazar',
  whyMail: 'Recibes este correo porque así lo piden tus ajustes.',
};

const all = { en, de, es };
export type NoticeLanguage = keyof typeof all;

/** Returns the words of a language. */
export const noticeWords = (language: NoticeLanguage = 'en'): NoticeWords => all[language];

/** Returns the language of notifications for a BCP 47 tag: English if there are no words of its own. */
export function noticeLanguage(tag = ''): NoticeLanguage {
  const name = tag.split('-')[0]!.toLowerCase();
  return Object.hasOwn(all, name) ? (name as NoticeLanguage) : 'en';
}

/* Version 1 of the API for programs: events as a stream. What they say is in v1-webhooks.ts. */

/** GET: server-sent events, from the one that the header `Last-Event-ID` names, or from now on. */
export const v1EventsPath = '/api/v1/events';

/** The first event of each stream: its id is the place from which the stream goes on, and it says nothing else. */
export const streamOpenedEvent = 'stream.opened';

/** The id of that place while nothing has happened yet. */
export const noEventId = 'none';

/**
 * The name of the cookie that tells scripts of the web app that this browser has a session; its value says nothing. It is set
 * and ends with the cookie of the session, which scripts cannot read (docs/sessions.md).
 */
export const signedInCookie = 'packshot-signed-in';

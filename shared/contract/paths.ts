/** Paths of the API, as the server registers and the clients call them. */
export const paths = {
  /** POST signs up: body `SignUp`, 201 `SessionReply`. */
  accounts: '/api/accounts',
  /** POST signs in: body `SignIn`, 200 `SessionReply`. DELETE signs out: 204. */
  session: '/api/session',
  /** GET: 200 `Me`. */
  me: '/api/me',
  /** POST multipart submits: 202 `GenerationView`. GET lists, newest first: 200 `GenerationList`. */
  generations: '/api/generations',
  generation: (id: string) => `/api/generations/${id}`,
  /** POST: 200 `GenerationView`. */
  cancelGeneration: (id: string) => `/api/generations/${id}/cancel`,
  /** GET an image of a generation: `image`, `photo-0`, `preview-1-0`; with `-thumbnail` behind it a small WebP. */
  generationImage: (id: string, name: string) => `/api/generations/${id}/images/${name}`,
  socket: '/socket.io',
  docs: '/api/docs',
} as const;

/** Schemas of the account, which visitors of public pages do not load: nobody asks for their account. */
export { meSchema, settingsSchema } from '#contract';

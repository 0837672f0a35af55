/* Where the parts of the main area are. */

const actions = 'flex flex-wrap items-center gap-2 sm:order-2';
/** Buttons beside the heading or above the image, on phones directly below it. */
export const actionsClass = `order-3 ${actions}`;
/** The same, on phones above the images: those of a set are high. */
export const actionsFirstClass = `order-2 ${actions}`;
export const pictureClass = 'order-2 min-w-0 sm:order-3 lg:col-span-2';
const below = 'order-5 grid w-full max-w-5xl min-w-0 gap-5 lg:col-span-2';
export const belowClass = `mx-auto ${below}`;
/** Below what is not in the middle. */
export const belowStartClass = below;

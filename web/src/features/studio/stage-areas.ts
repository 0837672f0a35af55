/** Where the parts of the main area are: buttons beside the heading or above the image, on phones directly below it. */
export const actionsClass = 'order-3 flex flex-wrap items-center gap-2 sm:order-2';
export const pictureClass = 'order-2 min-w-0 sm:order-3 lg:col-span-2';
export const belowClass = 'order-5 mx-auto grid w-full max-w-5xl min-w-0 gap-5 lg:col-span-2';

/* The version of amphi: what --version prints and checkpoints carry. */
#ifndef AMPHI_ENGINE_VERSION_H
#define AMPHI_ENGINE_VERSION_H

#define AMPHI_VERSION "0.1.0"

#endif
